export function modernTar(): typeof import('modern-tar')
