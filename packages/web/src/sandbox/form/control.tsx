import type { ReactNode } from 'react'
import { ChoiceControl } from './choice-control.tsx'
import type { Field } from './field.ts'
import { FixedControl } from './fixed-control.tsx'
import type { ControlProps } from './form-context.ts'
import { JsonControl } from './json-control.tsx'
import { ListControl } from './list-control.tsx'
import { ObjectControl } from './object-control.tsx'
import { NumberControl, TextControl } from './text-control.tsx'

/** What changes a value, whatever kind it is. */
export function Control({ field, ...props }: ControlProps<Field>): ReactNode {
  switch (field.kind) {
    case 'text':
      return <TextControl field={field} {...props} />
    case 'number':
      return <NumberControl field={field} {...props} />
    case 'fixed':
      return <FixedControl field={field} {...props} />
    case 'object':
      return <ObjectControl field={field} {...props} />
    case 'list':
      return <ListControl field={field} {...props} />
    case 'choice':
      return <ChoiceControl field={field} {...props} />
    case 'any':
      return <JsonControl field={field} {...props} />
    case 'boolean':
      // Something else is there: it can be seen, and changed.
      return <FixedControl field={{ kind: 'fixed', values: [true, false] }} {...props} />
  }
}
