import { z } from 'zod'

/**
 * The schema of a type that is defined in a library. Clients are given that type; the OpenAPI document lists these fields, and
 * objects may have others. It does not compile unless every value of the type has these fields.
 */
export function described<Type, Fields extends z.ZodRawShape>(
  id: string,
  description: string,
  fields: Fields & Allows<z.output<z.ZodObject<Fields>>, Type>,
): z.ZodType<Type> {
  const schema = z.looseObject(fields as Fields).meta({ id, description })
  return schema as unknown as z.ZodType<Type>
}

/** The schema of an interface. It does not compile unless they say the same: the same fields of the same types. */
export function typed<Type, Schema extends z.ZodType>(
  schema: Schema & Allows<z.output<Schema>, Type> & Allows<Type, z.output<Schema>>,
): z.ZodType<Type> {
  // A field that is undefined is one that is missing: it came as JSON.
  return schema as unknown as z.ZodType<Type>
}

declare const MISSING: unique symbol

/** Anything if every value of the second type is one of the first; otherwise something that no schema is. */
type Allows<Wide, Narrow> = [Plain<Narrow>] extends [Plain<Wide>]
  ? unknown
  : { readonly 'The schema and the type differ': { readonly one: Narrow; readonly other: Wide } }

/**
 * A type without what a schema does not know: whether something is readonly, how long a list is, and whether a field that can be
 * missing can also be undefined. All fields are required, so that types of which one has more fields differ.
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
