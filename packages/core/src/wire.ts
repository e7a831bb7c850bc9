import type { Hole } from './hole.ts'

/**
 * A wire is a picture of text with holes in it. The same picture is read from a stream, hole by
 * hole, and printed from values, so prompt, reader and history cannot drift apart.
 *
 *     wire`<tool_call>\n${json({ name: 'name', args: 'arguments' })}\n</tool_call>`
 */
export type Wire = readonly Part[]

/** A part of a picture: literal text, or a hole. */
export type Part = string | Hole

/** Draws a picture: wire`<call>${name} ${args}</call>`. */
export function wire(strings: TemplateStringsArray, ...holes: (Hole | string)[]): Wire {
  if (strings.some((text) => text.includes('\u2060')))
    throw new TypeError('A picture cannot contain U+2060, which makes marks inert.')
  const parts: Part[] = []
  for (const part of strings.flatMap((text, i) => [text, holes[i] ?? ''])) {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, last + part)
    else if (part !== '') parts.push(part)
  }
  return parts
}
