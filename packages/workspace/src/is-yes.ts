/** Whether a person's answer to a question means yes. No answer does not. */
export function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}
