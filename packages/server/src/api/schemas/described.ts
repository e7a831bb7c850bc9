import { z } from 'zod'

/**
 * The schema of a type that is defined in a library. Clients get that type; the OpenAPI document
 * lists these fields, and objects may have more. Doesn't compile unless every value of the type has
 * these fields.
 */
export function described<Type, Fields extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: Fields & Allows<z.output<z.ZodObject<Fields>>, Type>,
): z.ZodType<Type> {
  const schema = z.looseObject(fields as Fields).meta({ id, description })
  return schema as unknown as z.ZodType<Type>
}

/**
 * The schema of an interface. Doesn't compile unless both have the same fields of the same types.
 */
export function typed<Type, Schema extends z.ZodType>(
  schema: Schema & Allows<z.output<Schema>, Type> & Allows<Type, z.output<Schema>>,
): z.ZodType<Type> {
  // The value comes from JSON, so an undefined field is a missing one.
  return schema as unknown as z.ZodType<Type>
}

declare const MISSING: unique symbol

/**
 * `unknown` if every value of the second type is one of the first; otherwise a type that no schema
 * has.
 */
type Allows<Wide, Narrow> = [Plain<Narrow>] extends [Plain<Wide>]
  ? unknown
  : { readonly 'The schema and the type differ': { readonly one: Narrow; readonly other: Wide } }

/**
 * A type without the properties that a schema can't express: readonly, the length of a list, and
 * the difference between a missing field and an undefined one. All fields are required, so that a
 * type with more fields is a different type.
 */
type Plain<Type> = unknown extends Type
  ? unknown
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? {
          [Key in keyof Type]-?:
            | Plain<Exclude<Type[Key], undefined>>
            | (object extends Pick<Type, Key>
                ? typeof MISSING
                : undefined extends Type[Key]
                  ? typeof MISSING
                  : never)
        }
      : Type
