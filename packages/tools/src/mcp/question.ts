import type { Decision, ToolCall } from '@toolglot/agent'

/** What a person reads before a call runs: all of it, and what in it needs their word. */
export function questionOf({ name, args }: ToolCall, { parts }: Decision): string {
  const reasons = parts
    .filter(({ verdict }) => verdict !== 'allow')
    .map(({ what, why }) => `- ${what}: ${why}`)
  return visible(
    [`Run ${name}?`, JSON.stringify(args, undefined, 2), ...reasons].join('\n').trimEnd(),
  )
}

/** Characters that hide, or turn the direction of writing, are written out: nobody approves what they cannot see. */
function visible(text: string): string {
  return text.replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
