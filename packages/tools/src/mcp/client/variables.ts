import type { Environment } from '../../process/environment.ts'

/** Puts what the environment says in the place of `${NAME}`; or says which name it does not know. */
export function expanded(
  values: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
        const found = environment[name]
        if (found === undefined)
          throw new Error(`${key} needs the environment variable ${name}, which is not set`)
        return found
      }),
    ]),
  )
}
