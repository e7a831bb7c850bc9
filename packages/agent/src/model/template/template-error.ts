/** What a template did that cannot be continued. It becomes a ModelError where the template is rendered. */
export class TemplateError extends Error {}

/** The template does too much. */
export class TemplateLimit extends TemplateError {}

/** The template itself refused its input, with `raise_exception`. */
export class TemplateRefusal extends TemplateError {}
