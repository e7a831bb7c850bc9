/** The tokens that end a turn, in the templates of known models. Not `</s>`: it is HTML, too. */
const ENDS: readonly string[] = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<end_of_turn>',
  '<turn|>',
  '<｜end▁of▁sentence｜>',
]

/** The tokens that end a turn in a template, without the one at which the model stops by itself. */
export function endTokens(template: string, eosToken: string | undefined): string[] {
  return ENDS.filter((each) => each !== eosToken && template.includes(each))
}

/** Whether a token cannot be mistaken for text, as `</s>` can. */
export function isUnmistakable(token: string): boolean {
  return ENDS.includes(token) || /[|｜]/.test(token)
}

/** What looks like special tokens in a template: servers leave such tokens out of their text unless asked. */
export function specialMarks(template: string, ends: readonly string[]): string[] {
  const marks = new Set<string>()
  for (const [mark] of template.matchAll(/<[^<>\s'"{}]{1,40}>|\[\/?[A-Z_]{2,30}\]/g)) {
    if (mark !== '</s>' && !ends.includes(mark)) marks.add(mark)
    if (marks.size >= MAX_MARKS) break
  }
  return [...marks]
}

const MAX_MARKS = 100
