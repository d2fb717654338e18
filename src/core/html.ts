/** HTML that is safe by construction: what a template inserts is escaped, unless a template has made it. */

export class Html {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Only for the template: any other text could be of a stranger. */
  static ofTemplate(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(strings.map((part, index) => part + insert(values[index] ?? '')).join(''))
  }

  toString(): string {
    return this.text
  }
}

export type HtmlValue = string | number | Html | null | readonly HtmlValue[]

/** For text between tags and for attributes in double quotes. Addresses in `href` and `src` are checked by the caller. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.ofTemplate(strings, values)
}

function insert(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === null) return ''
  return typeof value === 'object' ? value.map(insert).join('') : escapeHtml(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
