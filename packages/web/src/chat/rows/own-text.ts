/** A file whose text was sent with a message. */
export interface AttachedFile {
  readonly name: string
  readonly text: string
}

/** The user's message: the typed words and the attached files. */
export interface OwnText {
  readonly words: string
  readonly files: readonly AttachedFile[]
}

const BLOCK =
  /(?:^|\n\n)<(file(?:-\d{1,9})?) path="([^"\n]*)">\n([^]*?)\n?<\/\1>(?=\n\n<file|\s*$)/g

/** Separates the attached files from a message that was sent to a model. */
export function ownText(text: string): OwnText {
  const files: AttachedFile[] = []
  let words: string | undefined
  for (const { index, 2: name, 3: content } of text.matchAll(BLOCK)) {
    words ??= text.slice(0, index)
    files.push({ name: name!, text: content! })
  }
  return { words: (words ?? text).trim(), files }
}

/**
 * The files to send with the words again. Files that the words mention are read again
 * automatically.
 */
export function filesToResend({ words, files }: OwnText, newWords = words): AttachedFile[] {
  return files.filter(({ name }) => !words.includes(`@${name}`) && !newWords.includes(`@${name}`))
}
