import type { Printing } from '../hole.ts'
import type { MemberPictures } from '../holes/each.ts'
import { type FieldNames, numberOf } from '../holes/fields.ts'
import { writtenName } from '../read/written-key.ts'
import { printMembers } from './members.ts'

/** A call as fields that all look alike: its name, its id if it has one, and its arguments. */
export function printFields(
  printing: Printing,
  members: MemberPictures,
  names: FieldNames,
): string {
  const { call } = printing
  const head: Record<string, unknown> = {
    [names.name]: writtenName(call.name),
    ...(call.id !== undefined && { [names.id]: call.id }),
  }
  const isField = (key: string): boolean =>
    [names.name, names.id].includes(key) || numberOf(key, names.method) !== ''
  const fieldsOf = (args: typeof head, isLiteral?: typeof isField): string[] =>
    printMembers({ ...printing, call: { ...call, args } }, members, isLiteral)
  return [...fieldsOf(head), ...fieldsOf(call.args, isField)].join(members.separator)
}
