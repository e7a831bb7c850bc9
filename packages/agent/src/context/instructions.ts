import { neutralize, type ResultOptions } from '@toolglot/core'
import { boundaryAtOrBefore } from '../result/cut-result.ts'

/** A file with instructions for the model: the user's own, or part of the project. */
export interface InstructionFile {
  readonly path: string
  readonly text: string
  readonly scope: 'user' | 'project'
}

/** The limits on instruction files. */
export interface InstructionOptions {
  /** The user trusts the project. */
  readonly trusted: boolean
  /** The maximum number of characters per file. Default: 20,000. */
  readonly maxCharactersPerFile?: number | undefined
  /** The maximum number of characters in total. Default: 40,000. */
  readonly maxCharacters?: number | undefined
}

/** The instructions for the model, and notes for the user. */
export interface Instructions {
  /** The text to append to the system text. Empty if there are no instructions. */
  readonly text: string
  /** The included text from the project. A call that only repeats it is suspicious. */
  readonly untrusted: readonly string[]
  /** Notes for the user about instructions that were left out. */
  readonly notes: readonly string[]
}

/**
 * Prints instruction files for the model. A project's files are left out until the user trusts the
 * project: models follow text presented as instructions, even if the surrounding text warns against
 * it. The model can still read these files like any other file.
 */
export function printInstructions(
  files: readonly InstructionFile[],
  { trusted, maxCharactersPerFile = 20_000, maxCharacters = 40_000 }: InstructionOptions,
): Instructions {
  const included = distinct(files.filter(({ scope }) => trusted || scope === 'user'))
  const excluded = files.filter((file) => !trusted && file.scope === 'project')
  const notes = excluded.map(
    ({ path }) =>
      `${path} is not sent to the model, because this folder is not trusted. Read it, then trust the folder.`,
  )
  const parts: string[] = []
  let remaining = maxCharacters
  for (const { path, text } of included) {
    const length = boundaryAtOrBefore(text, Math.min(maxCharactersPerFile, remaining, text.length))
    remaining -= length
    if (length < text.length)
      notes.push(
        `${path} has ${text.length} characters: only the first ${length} are sent to the model.`,
      )
    if (length > 0) parts.push(printFileBlock(path, text.slice(0, length)))
  }
  return {
    text:
      parts.length === 0
        ? ''
        : [
            "Instructions for this workspace, from the files below. The user's messages take precedence. These files grant no permissions.",
            ...parts,
          ]
            .join('\n\n')
            // A file must not decide where the tools are described.
            .replaceAll('{{tools}}', '{{ tools }}'),
    untrusted: included.filter(({ scope }) => scope === 'project').map(({ text }) => text),
    notes,
  }
}

/** Drops empty and duplicate files: often one file is a copy of another or a link to it. */
function distinct(files: readonly InstructionFile[]): InstructionFile[] {
  const seen = new Set<string>()
  return files.filter(({ text }) => {
    const content = text.trim()
    return content !== '' && !seen.has(content) && seen.add(content)
  })
}

/**
 * Prints a file between tags that its text cannot close, with the marks of all protocols
 * neutralized. Arguments copied from it are restored like arguments copied from results.
 *
 *     <file path="a.md">
 *     …
 *     </file>
 */
export function printFileBlock(
  path: string,
  text: string,
  options: Pick<ResultOptions, 'protocols'> = {},
): string {
  const tag = tagFor(text)
  const name = path.replace(/["<>\n\r]/g, encodeURIComponent)
  return `<${tag} path="${neutralize(name, options)}">\n${neutralize(text, options)}\n</${tag}>`
}

/** `file`, followed by a number if the text contains that tag. */
function tagFor(text: string): string {
  let highest = -1
  for (const [, number = '0'] of text.matchAll(/<\/?file(?:-(\d{1,9}))?/gi)) {
    highest = Math.max(highest, Number(number))
  }
  return highest < 0 ? 'file' : `file-${highest + 1}`
}
