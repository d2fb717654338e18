/** A panel of the console that shows the other tickets of the customer beside a ticket. */
const list = document.getElementById('tickets')

tenantry.connect().then((panel) => {
  void show(panel)
  panel.on('row', () => show(panel))
})

async function show(panel) {
  const { id, customerId } = panel.row
  const { status, body } = await panel.request('GET', `/api/tickets?customerId=${customerId}&limit=6`)
  const others = status === 200 ? body.filter((ticket) => ticket.id !== id) : []
  list.replaceChildren(...others.map((ticket) => buttonOf(panel, ticket)))
  if (others.length === 0) list.textContent = status === 200 ? 'None' : body.message
}

function buttonOf(panel, { id, title, state }) {
  const button = document.createElement('button')
  button.append(spanOf('truncate', title), spanOf(state === 'open' ? 'badge info' : 'badge', state))
  button.onclick = () => panel.goTo(`/entities/ticket/${id}`)
  return button
}

function spanOf(className, text) {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}
