// Asks the simulator for a token with a client that nobody here wrote, and prints the answer as JSON.
const [, , url, audience, pemcert, pemprivateKey] = process.argv
const token = require('@vtfk/maskinporten-auth')

token({ url, audience, pemcert, pemprivateKey, issuer: 'app', scope: 'ks:fiks' })
  .then(answer => console.log(JSON.stringify(answer)))
  .catch(problem => { console.error(problem.response?.data ?? problem); process.exit(1) })
