/** Text as the content of a JSON string. Most text needs no escapes. */
export function jsonContent(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

// oxlint-disable-next-line no-control-regex -- these are what JSON must escape
const SPECIAL = /["\\\x00-\x1f\ud800-\udfff]/
