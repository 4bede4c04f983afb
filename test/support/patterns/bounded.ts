/** A pattern whose work is not in proportion to its text, which is short. */
interface BoundedPattern {
  /** Path below `src/`. */
  readonly file: string
  /** As it is in the source, between the slashes. */
  readonly pattern: string
  /** The longest text that it is tried on, in UTF-16 code units. */
  readonly longest: number
  /** What makes sure of that: words of a source, and its path below `src/`. */
  readonly because: readonly [words: string, file: string]
}

/** The only patterns that need not take time in proportion to the text. */
export const boundedPatterns: readonly BoundedPattern[] = [
  {
    file: 'features/integrations/webhook-services/filters.ts',
    pattern: String.raw`\[!?\]?[^\]]*\]|[\s\S]`,
    longest: 1000,
    because: ['longestOption = 1000', 'features/integrations/incoming-webhooks/routes.ts'],
  },
  {
    file: 'features/organization/imports/sources/rocketchat/markup.ts',
    pattern: String.raw`^https?:\/\/[^\s?#]+\/(?:channel|group|direct)\/[^\s?#]+\?(?:[^\s#]*&)?msg=([\w-]{1,100})`,
    longest: 2006,
    because: [
      String.raw`\((https?:[^\s()]{1,2000})\)`,
      'features/organization/imports/sources/rocketchat/markup.ts',
    ],
  },
  {
    file: 'translations/steps.ts',
    pattern: '```.*?\\n```|`[^`\\n]+`|\\*\\*[^*\\n]+\\*\\*',
    // What a step says is in the sources.
    longest: 1000,
    because: ['export function stepParts(step: string)', 'translations/steps.ts'],
  },
]

/** Patterns that are tried at a few places of a word, not at each as a tokenizer does. */
export const rarelyTried: readonly (Omit<BoundedPattern, 'longest'> & { most: number })[] = [
  String.raw`(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+`,
  String.raw`[\p{L}\p{N}_.+%-]+@(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_]+`,
].map((pattern) => ({
  file: 'platform/markdown/autolinks.ts',
  pattern,
  most: 8,
  because: ['maxAttempts = 8', 'platform/markdown/autolinks.ts'],
}))

/** A sample of each pattern that the constants of its file do not tell. */
export const madePatterns: Readonly<Record<string, [pattern: string, flags: string]>> = {
  'features/integrations/webhook-services/html.ts': [
    String.raw`\shref\s*=\s*(?:"([^"]*)"|'([^']*)')`,
    'i',
  ],
  'features/organization/imports/sources/zulip/organization.ts': [
    String.raw`^realm_icons/(.+/)?icon\.original$`,
    '',
  ],
  'features/web/web-client/bundle.ts': ['/(?:main.tsx|names.ts)$', ''],
  'platform/markdown/boundaries.ts': [String.raw`[ー\p{Script=Han}\p{Script=Thai}]`, 'u'],
  'shared/message-text.ts': [String.raw`\balt="([^"]*)"`, ''],
}
