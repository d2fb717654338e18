/** The fields that several pages have. */
import { maxPasswordLength } from '../password/schema.ts'
import type { FormField } from './form.ts'
import type { AccountText } from './text-en.ts'

export function nameFields({ labels }: AccountText): FormField[] {
  return [
    { name: 'firstName', label: labels.firstName, autocomplete: 'given-name', maxLength: 100 },
    { name: 'lastName', label: labels.lastName, autocomplete: 'family-name', maxLength: 100 },
  ]
}

export function userNameField({ labels, hints }: AccountText): FormField {
  const { userName: label } = labels
  return { name: 'userName', label, autocomplete: 'username', hint: hints.userName, maxLength: 50 }
}

export function passwordField({ labels }: AccountText): FormField {
  const { password: label } = labels
  const autocomplete = 'current-password'
  return { name: 'password', label, type: 'password', autocomplete, maxLength: maxPasswordLength }
}

export function newPasswordField(text: AccountText): FormField {
  const { labels, hints } = text
  const autocomplete = 'new-password'
  return { ...passwordField(text), label: labels.newPassword, autocomplete, hint: hints.password }
}
