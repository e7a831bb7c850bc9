import { type ComponentType, createContext, use } from 'react'
import type { Field } from './field.ts'
import type { Fault, Faults } from './faults.ts'
import { type Path, pointerOf } from './values.ts'

/** The context that the fields of a form share. */
export interface FormState {
  readonly faults: Faults
  /** Places where somebody has been: only there, something that is missing is a fault already. */
  readonly touched: ReadonlySet<string>
  readonly touch: (place: string) => void
  /** Pieces of JSON that are wrong, by place. */
  readonly pieces: ReadonlyMap<string, string>
  readonly setPiece: (place: string, text: string | undefined) => void
  /** Forgets the pieces below a place, where values were moved. */
  readonly dropPieces: (place: string) => void
  /** Draws a value of any kind: values contain others. */
  readonly Control: ComponentType<ControlProps<Field>>
  /** Draws a value with its name. */
  readonly FieldView: ComponentType<FieldProps>
}

/** A value with its name. */
export interface FieldProps {
  readonly field: Field
  readonly name: string
  readonly path: Path
  readonly value: unknown
  readonly isRequired: boolean
  readonly onChange: (value: unknown) => void
}

/** Gives fields what they share. */
export const FormContext = createContext<FormState | undefined>(undefined)

/** The context that the fields of a form share. */
export function useForm(): FormState {
  return use(FormContext)!
}

/** The fault to show at a place. */
export function useFault(path: Path): Fault | undefined {
  const { faults, touched } = useForm()
  const place = pointerOf(path)
  const fault = faults.get(place)
  return fault?.type === 'required' && !touched.has(place) ? undefined : fault
}

/** The props of every control of a value. */
export interface ControlProps<Of> {
  readonly field: Of
  readonly path: Path
  readonly value: unknown
  /** Undefined: there is no value. */
  readonly onChange: (value: unknown) => void
  readonly isRequired: boolean
  /** Of the element that is labelled. */
  readonly id: string
  readonly name: string
  /** The ids of what says more about it. */
  readonly describedBy: string | undefined
}
