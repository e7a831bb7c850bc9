/** Downloads text as a file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replaceAll(/[^\w.-]+/g, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
