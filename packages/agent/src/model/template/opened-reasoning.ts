/** The marks with which models begin to think. */
const OPENERS: readonly string[] = [
  '<think>',
  '<think:opensource>',
  '<mm:think>',
  '<seed:think>',
  '<longcat_think>',
  '[THINK]',
  '<|START_THINKING|>',
  '<|inner_prefix|>',
  '<|think|>',
  '<|channel>thought',
  '<|channel|>analysis<|message|>',
  '<|open|>think<|sep|>',
  '<|content_thinking|>',
]

/** The end of a prompt that begins the model's reasoning, such as `<think>\n`; empty if it begins nothing. */
export function openedReasoning(prompt: string): string {
  const end = prompt.trimEnd()
  const opener = OPENERS.find((each) => end.endsWith(each))
  return opener === undefined ? '' : prompt.slice(end.length - opener.length)
}
