/** A file whose text came with a message. */
export interface AttachedFile {
  readonly name: string
  readonly text: string
}

/** A message of the person: their words, and the files that came with them. */
export interface OwnText {
  readonly words: string
  readonly files: readonly AttachedFile[]
}

const BLOCK =
  /(?:^|\n\n)<(file(?:-\d{1,9})?) path="([^"\n]*)">\n([^]*?)\n?<\/\1>(?=\n\n<file|\s*$)/g

/** Takes the files out of a message that was sent to a model. */
export function ownText(text: string): OwnText {
  const files: AttachedFile[] = []
  let words: string | undefined
  for (const { index, 2: name, 3: content } of text.matchAll(BLOCK)) {
    words ??= text.slice(0, index)
    files.push({ name: name!, text: content! })
  }
  return { words: (words ?? text).trim(), files }
}

/** The files that must be sent with the words again: those that the words mention are read again by themselves. */
export function filesToResend({ words, files }: OwnText, newWords = words): AttachedFile[] {
  return files.filter(({ name }) => !words.includes(`@${name}`) && !newWords.includes(`@${name}`))
}
