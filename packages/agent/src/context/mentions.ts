import type { Protocol, ProtocolId } from '@toolglot/core'
import { describeThrown } from '../result/describe-thrown.ts'
import { cutResult } from '../result/cut-result.ts'
import { type Content, textOf } from '../model/chat-message.ts'
import { joinContents } from './merge-messages.ts'
import { printFileBlock } from './instructions.ts'

/** A prompt with the contents of the files it mentions. */
export interface PromptWithMentions<Prompt extends Content = string> {
  readonly content: Prompt
  /** Text that was added. A call that only repeats it is suspicious. */
  readonly untrusted: readonly string[]
  /** The mentioned files that were not added, with the reasons. */
  readonly missing: readonly { readonly path: string; readonly reason: string }[]
}

/** The limits on the added files. */
export interface MentionOptions {
  /** The maximum number of characters per file. Default: 50,000. */
  readonly maxCharactersPerFile?: number | undefined
  /** The maximum number of files. Default: 20. */
  readonly maxFiles?: number | undefined
  /** The model's protocol, if it is a custom one: its marks are also neutralized. */
  readonly protocol?: Protocol | ProtocolId | undefined
}

/**
 * Appends the files that a prompt mentions, as `@src/a.ts` or `@"a file.md"`. `read` returns the
 * text of a file, or undefined if it does not exist, and throws if reading is not allowed: it must
 * check permissions.
 */
export async function addMentions(
  prompt: string,
  read: (path: string) => Promise<string | undefined>,
  options?: MentionOptions,
): Promise<PromptWithMentions>
export async function addMentions(
  prompt: Content,
  read: (path: string) => Promise<string | undefined>,
  options?: MentionOptions,
): Promise<PromptWithMentions<Content>>
export async function addMentions(
  prompt: Content,
  read: (path: string) => Promise<string | undefined>,
  { maxCharactersPerFile = 50_000, maxFiles = 20, protocol }: MentionOptions = {},
): Promise<PromptWithMentions<Content>> {
  const parts: string[] = []
  const untrusted: string[] = []
  const missing: { path: string; reason: string }[] = []
  for (const [number, path] of findMentions(textOf(prompt)).entries()) {
    if (number >= maxFiles) {
      missing.push({ path, reason: `at most ${maxFiles} files are read` })
      continue
    }
    try {
      const text = await read(path)
      if (text === undefined) missing.push({ path, reason: 'the file does not exist' })
      else {
        parts.push(
          printFileBlock(path, cutResult(text, maxCharactersPerFile), { protocols: protocol }),
        )
        untrusted.push(text)
      }
    } catch (error) {
      // The path is not allowed, is not a text file, or is a folder.
      missing.push({ path, reason: describeThrown(error) })
    }
  }
  return { content: joinContents([prompt, ...parts]), untrusted, missing }
}

/** The paths that a prompt mentions, without duplicates. An address such as `me@example.org` is not a mention. */
export function findMentions(prompt: string): string[] {
  const found = prompt.matchAll(/(?<=^|[\s([{,;])@(?:"([^"\n]{1,1024})"|([^\s"@]{1,1024}))/g)
  const paths = [...found].map(([, quoted, bare = '']) => quoted ?? withoutPunctuation(bare))
  return [...new Set(paths)].filter((path) => path !== '')
}

/** Removes the punctuation that ends a sentence. */
function withoutPunctuation(path: string): string {
  let end = path.length
  while (end > 0 && ".,;:!?)]}'`".includes(path[end - 1]!)) end--
  return path.slice(0, end)
}
