import { Field } from './field.tsx'

interface PasswordProps {
  label: string
  value: string
  onInput: (value: string) => void
}

/** A field for the present password of the user, which password managers fill in. */
export function PasswordField({ label, value, onInput }: PasswordProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="password"
          autocomplete="current-password"
          required
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
