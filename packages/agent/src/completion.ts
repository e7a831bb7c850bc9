export {
  completionModel,
  type CompletionOptions,
  type CompletionStyle,
} from './model/completion/completion-model.ts'
export type { TemplateLimits } from './model/template/budget.ts'
export type { PromptRendererOptions } from './model/template/prompt-renderer.ts'
export { renderTemplate, type TemplateInput } from './model/template/render-template.ts'
