import { type ComponentType, createContext, use } from 'react'
import type { Field } from './field.ts'
import type { Fault, Faults } from './faults.ts'
import { type Path, pointerOf } from './values.ts'

/** The context that the fields of a form share. */
export interface FormState {
  readonly faults: Faults
  /** Fields that the user has visited. Missing values in other fields are not reported yet. */
  readonly touched: ReadonlySet<string>
  readonly touch: (place: string) => void
  /** Invalid JSON in fields, by place. */
  readonly pieces: ReadonlyMap<string, string>
  readonly setPiece: (place: string, text: string | undefined) => void
  /** Removes invalid JSON below a place whose values were moved. */
  readonly dropPieces: (place: string) => void
  /** Draws a value of any type; passed in the context because values are nested. */
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

/** Provides the shared context to the fields. */
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

/** The props of every control. */
export interface ControlProps<Of> {
  readonly field: Of
  readonly path: Path
  readonly value: unknown
  /** Called with undefined if the value is removed. */
  readonly onChange: (value: unknown) => void
  readonly isRequired: boolean
  /** The id of the labelled element. */
  readonly id: string
  readonly name: string
  /** The ids of the elements that describe it. */
  readonly describedBy: string | undefined
}
