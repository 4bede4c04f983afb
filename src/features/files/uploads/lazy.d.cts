export function contentTypes(): import('mime').Mime
