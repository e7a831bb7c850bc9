/** An error in a template. `renderTemplate` converts it to a ModelError. */
export class TemplateError extends Error {}

/** The template does too much. */
export class TemplateLimit extends TemplateError {}

/** The template itself refused its input, with `raise_exception`. */
export class TemplateRefusal extends TemplateError {}
