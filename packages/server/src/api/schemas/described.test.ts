import { expect, test } from 'vitest'
import { z } from 'zod'
import { described, typed } from './described.ts'

interface Thing {
  readonly name: string
  readonly sizes?: readonly number[] | undefined
  readonly part?: { readonly kind: 'a' | 'b' }
}

const name = z.string()
const sizes = z.array(z.number()).optional()
const part = z.object({ kind: z.enum(['a', 'b']) }).optional()

test('a schema that differs from its interface does not compile', () => {
  const schemas: z.ZodType<Thing>[] = [
    typed(z.strictObject({ name, sizes, part })),
    // @ts-expect-error an optional field is missing
    typed(z.strictObject({ name, sizes })),
    // @ts-expect-error a field is missing
    typed(z.strictObject({ sizes, part })),
    // @ts-expect-error there is a field that the interface does not have
    typed(z.strictObject({ name, sizes, part, other: z.string().optional() })),
    // @ts-expect-error a field is optional, and the interface requires it
    typed(z.strictObject({ name: name.optional(), sizes, part })),
    // @ts-expect-error a field is required, and the interface does not
    typed(z.strictObject({ name, sizes: z.array(z.number()), part })),
    // @ts-expect-error a field has another type
    typed(z.strictObject({ name: z.number(), sizes, part })),
    // @ts-expect-error a field inside a field has fewer values
    typed(z.strictObject({ name, sizes, part: z.object({ kind: z.literal('a') }).optional() })),
    // @ts-expect-error a field of the schema may be anything
    typed(z.strictObject({ name: z.unknown(), sizes, part })),
  ]
  expect(schemas[0]!.safeParse({ name: 'a', other: 1 }).success).toBe(false)
})

test('the schema of a described type may omit fields, but not misstate them', () => {
  const schemas: z.ZodType<Thing>[] = [
    described('One', '', { name }),
    described('Two', '', { name, part: z.looseObject({}).optional() }),
    // @ts-expect-error there is no such field
    described('Three', '', { name, other: z.string().optional() }),
    // @ts-expect-error the field may be missing
    described('Four', '', { sizes: z.array(z.number()) }),
    // @ts-expect-error the field has another type
    described('Five', '', { name: z.number() }),
  ]
  expect(schemas[0]!.parse({ name: 'a', other: 1 })).toEqual({ name: 'a', other: 1 })
})

test('the schema of a union must have exactly its variants', () => {
  type Shape =
    | { readonly type: 'a'; readonly size: number }
    | { readonly type: 'b'; readonly text?: string }
  const a = z.object({ type: z.literal('a'), size: z.number() })
  const b = z.object({ type: z.literal('b'), text: z.string().optional() })
  const c = z.object({ type: z.literal('c') })
  const schemas: z.ZodType<Shape>[] = [
    typed(z.discriminatedUnion('type', [a, b])),
    // @ts-expect-error a variant is missing
    typed(z.discriminatedUnion('type', [a])),
    // @ts-expect-error a variant is too many
    typed(z.discriminatedUnion('type', [a, b, c])),
    // @ts-expect-error the fields are those of another variant
    typed(z.discriminatedUnion('type', [a, b.extend({ size: z.number() })])),
  ]
  expect(schemas[0]!.safeParse({ type: 'a' }).success).toBe(false)
})
