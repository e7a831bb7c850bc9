import type { Protocol } from '@toolglot/core'
import { describeThrown } from '../result/describe-thrown.ts'
import { cutResult } from '../result/cut-result.ts'
import { enclose } from './enclose.ts'

/** What a prompt becomes with the files it mentions. */
export interface Mentioned {
  readonly content: string
  /** The texts that were added: what a call must not merely repeat. */
  readonly untrusted: readonly string[]
  /** What was mentioned and is not there, or may not be read, and why. */
  readonly missing: readonly { readonly path: string; readonly reason: string }[]
}

export interface MentionOptions {
  /** The most characters of one file. */
  readonly most?: number
  readonly mostFiles?: number
  /** A protocol of your own that the model writes: its marks are made inert too. */
  readonly protocol?: Protocol
}

/**
 * The files that a prompt mentions, as `@src/a.ts` or `@"a file.md"`, read and put behind it. `read` gives a file's text,
 * undefined where there is none, and throws where it may not be read: permissions are its business.
 */
export async function addMentions(
  prompt: string,
  read: (path: string) => Promise<string | undefined>,
  { most = 50_000, mostFiles = 20, protocol }: MentionOptions = {},
): Promise<Mentioned> {
  const parts: string[] = []
  const untrusted: string[] = []
  const missing: { path: string; reason: string }[] = []
  for (const [number, path] of mentionsIn(prompt).entries()) {
    if (number >= mostFiles) {
      missing.push({ path, reason: `only ${mostFiles} files are read` })
      continue
    }
    try {
      const text = await read(path)
      if (text === undefined) missing.push({ path, reason: 'there is no such file' })
      else {
        parts.push(enclose(path, cutResult(text, most), { protocols: protocol }))
        untrusted.push(text)
      }
    } catch (error) {
      // Not allowed, not text, a folder.
      missing.push({ path, reason: describeThrown(error) })
    }
  }
  return { content: [prompt, ...parts].join('\n\n'), untrusted, missing }
}

/** The paths that a prompt mentions, each once. An address such as `me@example.org` is none. */
export function mentionsIn(prompt: string): string[] {
  const found = prompt.matchAll(/(?<=^|[\s([{,;])@(?:"([^"\n]{1,1024})"|([^\s"@]{1,1024}))/g)
  const paths = [...found].map(([, quoted, bare = '']) => quoted ?? withoutEnd(bare))
  return [...new Set(paths)].filter((path) => path !== '')
}

/** What ends a sentence is no part of a path. */
function withoutEnd(path: string): string {
  let end = path.length
  while (end > 0 && ".,;:!?)]}'`".includes(path[end - 1]!)) end--
  return path.slice(0, end)
}
