/** A tool in a namespace. */
export interface NamespacedTool {
  readonly namespace: string
  readonly name: string
}

/** The tools in namespaces, by the names that the model knows. */
export type Namespaces = ReadonlyMap<string, NamespacedTool>

/** The name of a tool in a namespace, for a model that knows no namespaces. */
export function flatName(namespace: string, name: string): string {
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}
