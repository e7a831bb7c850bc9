import { z } from 'zod'

/**
 * The schema of a type that is defined in a library. Clients are given that type; the OpenAPI document lists these fields, and
 * objects may have others.
 */
export function described<Type>(
  id: string,
  description: string,
  fields: z.ZodRawShape,
): z.ZodType<Type> {
  const schema = z.looseObject(fields).meta({ id, description })
  return schema as unknown as z.ZodType<Type>
}

/** A schema for an interface: TypeScript cannot compare the two, so that tests must. */
export function typed<Type>(schema: z.ZodType): z.ZodType<Type> {
  return schema as unknown as z.ZodType<Type>
}
