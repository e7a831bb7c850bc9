/** A mapping as YAML, each line indented. What is not plain text is written as JSON, which is YAML too. */
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

/** A word that nothing could take for a number, a boolean, or a mark of YAML's own. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_./][\w./-]*(?: [\w./-]+)*$/i
