import { boundaryAtOrBefore } from '../result/character-boundary.ts'
import { enclose } from './enclose.ts'

/** A file that says how to work: the person's own, or one that came with the project. */
export interface InstructionFile {
  readonly path: string
  readonly text: string
  readonly scope: 'user' | 'project'
}

/** Where a project says how to work in it, in each of its folders: of each row the first that there is. */
export const INSTRUCTION_FILES: readonly (readonly string[])[] = [
  ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'],
  ['.toolglot/instructions.md'],
]

export interface InstructionOptions {
  /** Whether the person trusts the project. */
  readonly trusted: boolean
  /** The most characters of one file, and of all. */
  readonly mostOfOne?: number
  readonly most?: number
}

/** What is told to the model behind the system text, and to the person. */
export interface Instructions {
  /** Empty where there is nothing to tell. */
  readonly text: string
  /** Those that are told: what a call must not merely repeat. */
  readonly untrusted: readonly string[]
  /** For the person: what was left out, and why. */
  readonly notes: readonly string[]
}

/**
 * Instructions for the model. What a project brings is left out until the person trusts it: text that is told as an
 * instruction is followed as one, whatever is written around it. The model may still read such a file as it reads others.
 */
export function printInstructions(
  files: readonly InstructionFile[],
  { trusted, mostOfOne = 20_000, most = 40_000 }: InstructionOptions,
): Instructions {
  const told = distinct(files.filter(({ scope }) => trusted || scope === 'user'))
  const left = files.filter((file) => !trusted && file.scope === 'project')
  const notes = left.map(
    ({ path }) =>
      `${path} is not told to the model, because this folder is not trusted. Read it, then trust the folder.`,
  )
  const parts: string[] = []
  let room = most
  for (const { path, text } of told) {
    const length = boundaryAtOrBefore(text, Math.min(mostOfOne, room, text.length))
    room -= length
    if (length < text.length)
      notes.push(`${path} has ${text.length} characters: only the first ${length} are told.`)
    if (length > 0) parts.push(enclose(path, text.slice(0, length)))
  }
  return {
    text:
      parts.length === 0
        ? ''
        : [
            'How to work here, from the files below. What the user says goes before it; it allows nothing that needs a permission.',
            ...parts,
          ]
            .join('\n\n')
            // Where the tools are told of is not for a file to say.
            .replaceAll('{{tools}}', '{{ tools }}'),
    untrusted: told.filter(({ scope }) => scope === 'project').map(({ text }) => text),
    notes,
  }
}

/** One of those that say the same: often one is a copy of the other, or a link to it. */
function distinct(files: readonly InstructionFile[]): InstructionFile[] {
  const seen = new Set<string>()
  return files.filter(({ text }) => {
    const said = text.trim()
    return said !== '' && !seen.has(said) && seen.add(said)
  })
}
