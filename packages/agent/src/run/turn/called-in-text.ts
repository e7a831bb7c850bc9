/**
 * The name of a known tool that a text seems to call: JSON, a label or a tag that was not read as a call, because it is
 * incomplete, does not fit the tool, or is not where a call may be. Undefined if there is none.
 */
export function calledInText(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => {
    if (name === '') return false
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = text.slice(Math.max(0, at - MAX_BEFORE), at)
      if (FORMS.some(({ begin, end }) => begin.test(before) && end(text[at + name.length])))
        return true
    }
    return false
  })
}

/** Longer than what comes before the name in any of the forms. */
const MAX_BEFORE = 40

/** What comes directly before a tool's name, and after it. */
const FORMS: readonly {
  readonly begin: RegExp
  readonly end: (next: string | undefined) => boolean
}[] = [
  {
    begin: /"(?:name|tool|tool_name|function|function_name|action)"\s{0,9}:\s{0,9}"$/,
    end: (next) => next === '"',
  },
  {
    begin: /(?:^|\n)\s{0,9}\**(?:Action|Tool|Function):\**[ \t]{0,9}`?$/,
    end: (next) => next === undefined || '`\r\n '.includes(next),
  },
  { begin: /<(?:function=|tool=|invoke name=")?$/, end: (next) => next === '>' || next === '"' },
]
