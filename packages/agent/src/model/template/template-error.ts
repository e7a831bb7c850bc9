/** An error in a template. `renderTemplate` converts it to a ModelError. */
export class TemplateError extends Error {}

/** The template exceeds its limits. */
export class TemplateLimit extends TemplateError {}

/** The template rejected its input with `raise_exception`. */
export class TemplateRefusal extends TemplateError {}
