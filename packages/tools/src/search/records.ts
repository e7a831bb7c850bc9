/**
 * Cuts a stream of text into records. Of a record longer than `longest` only the beginning comes. Returns the function to
 * feed; it says whether more is wanted, as `onRecord` does. What stands behind the last separator is not a record.
 */
export function records(
  separator: string,
  onRecord: (record: string) => boolean,
  longest = 65_536,
): (text: string) => boolean {
  let begun = ''
  return (text) => {
    let from = 0
    for (;;) {
      const end = text.indexOf(separator, from)
      if (end < 0) break
      const record = begun === '' ? text.slice(from, end) : begun + text.slice(from, end)
      begun = ''
      from = end + separator.length
      if (!onRecord(record.length > longest ? record.slice(0, longest) : record)) return false
    }
    if (begun.length < longest) begun += text.slice(from, from + longest - begun.length)
    return true
  }
}
