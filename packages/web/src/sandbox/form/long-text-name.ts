/** Names of arguments that are often longer than a line. */
const LONG =
  /command|content|text|string|code|script|prompt|body|message|patch|source|sql|edit|description/i

/** Whether a text with this name is often longer than a line. */
export function isLongText(name: string): boolean {
  return LONG.test(name)
}
