/** What a server's error says, however it is wrapped; undefined where it says nothing. */
export interface Complaint {
  readonly message: string
  readonly code?: string | number
}

export function complaintOf(body: unknown): Complaint | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message, detail, code, type } = body as Partial<Record<string, unknown>>
  if (typeof error === 'string' && error !== '') return { message: error }
  if (typeof error === 'object' && error !== null) return complaintOf(error)
  const said = [message, detail].find((text) => typeof text === 'string' && text !== '')
  const name = [code, type].find((each) => typeof each === 'string' || typeof each === 'number')
  if (typeof said === 'string') {
    return { message: said, ...(name !== undefined && { code: name as string | number }) }
  }
  // Lists of what is wrong with each field.
  return detail === undefined ? undefined : { message: JSON.stringify(detail).slice(0, 500) }
}
