export { UserError as CommandError } from '@toolglot/workspace'
