/** A secret that the service does not show again. */
import { Secret } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'

interface OnceShownProps {
  title: string
  secret: string
  hint: string
  href: string
}

export function OnceShown({ title, secret, hint, href }: OnceShownProps) {
  return (
    <div class="stack">
      <h1>{title}</h1>
      <section class="card stack" role="status">
        <h2>{text.webhook.subscription.secret}</h2>
        <Secret value={secret} />
        <p>{hint}</p>
      </section>
      <div class="row">
        <a class="button main" href={href}>
          {text.webhook.noted}
        </a>
      </div>
    </div>
  )
}
