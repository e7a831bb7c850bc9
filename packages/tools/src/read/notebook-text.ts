/** The cells of a notebook and their outputs, as text; undefined if the JSON is not a notebook. */
export function notebookText(json: string): string | undefined {
  let notebook: unknown
  try {
    notebook = JSON.parse(json)
  } catch {
    // Not JSON: Read shows it as plain text.
    return undefined
  }
  const cells = field(notebook, 'cells')
  if (!Array.isArray(cells)) return undefined
  return cells.map(cellText).join('\n')
}

function cellText(cell: unknown, index: number): string {
  const type = joinText(field(cell, 'cell_type')) || 'unknown'
  const outputs = field(cell, 'outputs')
  const shown = Array.isArray(outputs) ? outputs.map(outputText).filter((text) => text !== '') : []
  return [
    `[cell ${index + 1}: ${type}]`,
    joinText(field(cell, 'source')),
    ...shown.flatMap((text) => [`[output of cell ${index + 1}]`, text]),
  ].join('\n')
}

function outputText(output: unknown): string {
  const text = field(output, 'text')
  if (text !== undefined) return joinText(text)
  const error = field(output, 'evalue')
  if (error !== undefined) return `${joinText(field(output, 'ename'))}: ${joinText(error)}`
  const data = field(output, 'data')
  const plain = field(data, 'text/plain')
  const others = Object.keys(data ?? {}).filter((type) => !type.startsWith('text/'))
  return [joinText(plain), ...others.map((type) => `[${type}]`)].filter(Boolean).join('\n')
}

/** A notebook stores text as one string or as a list of lines. */
function joinText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('')
  return typeof value === 'string' ? value : ''
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
