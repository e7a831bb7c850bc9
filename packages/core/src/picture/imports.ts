import { moduleOf, MODULES } from './known-modules.ts'
import { type Problems, quoted } from './problems.ts'
import { unknownName } from './unknown-name.ts'
import type { Import } from './syntax.ts'
import { FAILED, Scope } from './values.ts'

/** The imported values, by their local names. Unknown imports are reported. */
export function imported(imports: readonly Import[], problems: Problems): Scope {
  const scope = new Scope()
  for (const { from, place, names } of imports) {
    const module = moduleOf(from)
    if (!module)
      problems.add(
        () => unknownName(from, 'a module that protocol files can import', MODULES),
        place,
      )
    for (const { name, as, isType, ...at } of names) {
      const { values, types = [] } = module ?? {}
      if (!isType && scope.has(as)) problems.add(`${quoted(as)} is declared twice.`, at)
      if (!isType) scope.set(as, values?.has(name) ? values.get(name) : FAILED)
      if (!module || (isType && types.includes(name))) continue
      if (!isType && values?.has(name)) continue
      if (!isType && types.includes(name))
        problems.add(`${quoted(name)} is a type: \`import type { ${name} } …\`.`, at)
      else
        problems.add(
          () =>
            unknownName(name, 'exported by this module', [
              ...(isType ? types : (values?.keys() ?? [])),
            ]),
          at,
        )
    }
  }
  return scope
}
