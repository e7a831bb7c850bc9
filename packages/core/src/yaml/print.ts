/** Prints a mapping as YAML, with each line indented. What is not plain text is printed as JSON, which is YAML too. */
export function printYaml(args: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(args)
    .map(([key, value]) => `${indent}${plainKey(key)}: ${plain(value)}`)
    .join('\n')
}

function plain(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}

function plainKey(key: string): string {
  return PLAIN.test(key) ? key : JSON.stringify(key)
}

/** Words that cannot be taken for a number, a boolean, or YAML syntax. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_./][\w./-]*(?: [\w./-]+)*$/i
