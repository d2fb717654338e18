/** The form of a page: its fields, the reasons why an input was refused, and reading the input. */
import { problemOf } from '../../api/http/reply/problem.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { isSameHost, originOf } from '../../core/host.ts'
import { type Html, html } from '../../core/html.ts'
import type { AccountText } from './text-en.ts'

export interface FormField {
  /** The name of the field, and of the member of the input. */
  name: string
  label: string
  type?: 'password' | 'text'
  /** The purpose of the field, by which browsers and password managers fill it in (HTML, section 4.10.18.7). */
  autocomplete: string
  hint?: string
  /** The value of the field before the form is sent. */
  value?: string
  maxLength: number
  isOptional?: boolean
}

/** The input of a form that was refused, and the reason. */
export interface Submission {
  values: Readonly<Record<string, string>>
  error: ServiceError
}

export interface FormOptions {
  fields: readonly FormField[]
  /** Further members that the form sends. The user does not see them. */
  hidden?: Readonly<Record<string, string>>
  button: string
  text: AccountText
  /** `null` before the form was sent. */
  submission: Submission | null
}

/** The form is sent to the address of the page. After a refusal, passwords have to be typed again. */
export function formOf({ fields, hidden = {}, button, text, submission }: FormOptions): Html {
  const faults = new Map(submission?.error.faults.map((fault) => [fault.pointer.slice(1), fault]))
  return html`${submission === null ? null : html`<p class="error" role="alert">${summaryOf(submission.error, fields, text)}</p>`}
<form method="post">
${Object.entries(hidden).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}${fields.map((field) => {
  const fault = faults.get(field.name)
  const value = submission?.values[field.name] ?? field.value ?? ''
  return inputOf(field, { value, fault: fault === undefined ? null : text.reason(fault) })
})}
<button>${button}</button>
</form>`
}

function inputOf(field: FormField, { value, fault }: { value: string; fault: string | null }): Html {
  const { name, label, type = 'text', hint } = field
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}"${requiredOf(field)}${described === '' ? null : html` aria-describedby="${described}"`}${fault === null ? null : html` aria-invalid="true"`}>
${hint === undefined ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`}
${fault === null ? null : html`<span class="fault" id="${name}-fault">${label} ${fault}</span>`}
`
}

function requiredOf({ isOptional }: FormField): Html | null {
  return isOptional === true ? null : html` required`
}

function summaryOf(error: ServiceError, fields: readonly FormField[], text: AccountText): string {
  const names = error.faults.map(({ pointer }) => pointer.slice(1))
  if (names.includes('token')) return text.linkNotValid
  if (names.some((name) => fields.some((field) => field.name === name))) return text.checkForm
  return text.error(problemOf(error))
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Refuses a form that a page of another site has sent: it could sign its visitors in as somebody else.
 * @param address of the pages: a proxy may have changed the host of the request
 * @throws ServiceError `forbidden`
 */
export function requireOwnForm(headers: Headers, address: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const page = String(origin)
  const isOwn =
    site === undefined
      ? originOf(page) === originOf(address) || (host !== undefined && isSameHost(page, String(host)))
      : site === 'same-origin'
  if (!isOwn) throw refusal('formNotOwn')
}

/** The last of several values of one name counts. @throws ServiceError `unsupportedMediaType` */
export function readForm(headers: Headers, bytes: Uint8Array): Record<string, string> {
  const [type = ''] = String(headers['content-type']).split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') throw refusal('formEncoding')
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
}
