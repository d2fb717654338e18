/** Shows recovery codes, which are visible only once and replace lost factors. */
import { CopyButton } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'

const texts = text.administration.account

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div class="notice warn stack" role="status">
      <strong>{texts.codes}</strong>
      <p>{texts.codesOnce}</p>
      <pre>{codes.join('\n')}</pre>
      <div class="row">
        <CopyButton value={codes.join('\n')} />
      </div>
    </div>
  )
}
