/** Whether a protocol is named by its file: what has a slash, or ends as code does. */
export function isPath(name: string): boolean {
  return name.includes('/') || /\.[cm]?[jt]s$/.test(name)
}
