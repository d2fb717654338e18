/** An error as a page, for the addresses that people open in a browser. It loads nothing. */
import type { ServiceError } from '../../../core/errors.ts'
import { html } from '../../../core/html.ts'

export function errorPage({ status, message }: ServiceError, requestId: string): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title></head>
<body>
<h1>${message}</h1>
<p>Status ${status}. Request ${requestId}.</p>
</body>
</html>
`.text
}
