/** Makes HTML that is safe by construction: values in a template are escaped, unless another template has made them. */

export class Html {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Only `html` may call this, because any other text may come from a stranger. */
  static ofTemplate(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(strings.map((part, index) => part + insert(values[index] ?? '')).join(''))
  }

  toString(): string {
    return this.text
  }
}

export type HtmlValue = string | number | Html | null | readonly HtmlValue[]

/**
 * A template tag. Values may stand between tags and in attributes with double quotes. The caller checks addresses in
 * `href` and `src`.
 */
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
