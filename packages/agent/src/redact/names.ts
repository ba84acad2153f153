/** Names under which secrets stand: in JSON, headers, lines of environments, query strings and options of commands. */

/** The value of these is a secret, whatever it looks like. */
const secrets = [
  ...[
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'pwd',
    'userpass',
    'dbpass',
    'secret',
    'clientsecret',
    'appsecret',
    'sharedsecret',
    'signingsecret',
  ],
  ...[
    'apikey',
    'accesskey',
    'secretkey',
    'privatekey',
    'signingkey',
    'encryptionkey',
    'masterkey',
    'accountkey',
    'subscriptionkey',
    'sharedaccesskey',
  ],
  ...['accesstoken', 'authtoken', 'refreshtoken', 'idtoken', 'bearertoken', 'sessiontoken', 'securitytoken', 'apitoken', 'csrftoken', 'xsrftoken'],
  ...['credential', 'credentials', 'authorization', 'authkey', 'functionskey', 'sessionid', 'sharedaccesssignature'],
] as const

/** The value of these is a secret where it looks random. */
const hints = [
  ...[
    'key',
    'token',
    'auth',
    'bearer',
    'session',
    'access',
    'creds',
    'cookie',
    'signature',
    'sig',
    'salt',
    'nonce',
    'jwt',
    'pat',
    'code',
    'sid',
    'api',
  ],
  ...['hmac', 'webhook', 'dsn', 'license', 'ticket', 'otp', 'pin', 'seed', 'mnemonic', 'login', 'userpwd'],
] as const

/** Services whose keys have no mark of their own: a value under their names is a secret where it looks random. */
const services = [
  ...[
    'adafruit',
    'adobe',
    'airtable',
    'algolia',
    'alibaba',
    'amplitude',
    'artifactory',
    'asana',
    'atlassian',
    'auth0',
    'beamer',
    'binance',
    'bintray',
  ],
  ...['bitbucket', 'bitly', 'bittrex', 'bugsnag', 'cloudant', 'cloudflare', 'cloudinary', 'codacy', 'codeclimate', 'codecov', 'cohere', 'coinbase'],
  ...['confluence', 'confluent', 'contentful', 'contribsys', 'coveralls', 'datadog', 'deepgram', 'deepl', 'digitalocean', 'discord', 'droneci'],
  ...['dropbox', 'elastic', 'elevenlabs', 'etsy', 'facebook', 'fastly', 'finicity', 'finnhub', 'flickr', 'foursquare', 'freemius', 'freshbooks'],
  ...[
    'freshdesk',
    'giphy',
    'gitter',
    'gocardless',
    'godaddy',
    'heroku',
    'honeybadger',
    'hubspot',
    'ibmcloud',
    'instagram',
    'intercom',
    'jfrog',
    'jira',
  ],
  ...[
    'keen',
    'kraken',
    'kucoin',
    'launchdarkly',
    'linear',
    'linkedin',
    'linode',
    'lob',
    'loggly',
    'looker',
    'mailchimp',
    'mailgun',
    'mailjet',
    'mapbox',
  ],
  ...[
    'mattermost',
    'meraki',
    'messagebird',
    'mixpanel',
    'mongodb',
    'netlify',
    'newrelic',
    'nytimes',
    'newyorktimes',
    'okta',
    'openweather',
    'opsgenie',
  ],
  ...[
    'pagerduty',
    'paypal',
    'plaid',
    'planetscale',
    'plivo',
    'postmark',
    'privateai',
    'pusher',
    'rapidapi',
    'razorpay',
    'riot',
    'rollbar',
    'salesforce',
  ],
  ...[
    'segment',
    'sendbird',
    'sendgrid',
    'sentry',
    'shodan',
    'shopify',
    'slack',
    'snyk',
    'softlayer',
    'sonar',
    'spotify',
    'square',
    'squarespace',
    'sumo',
  ],
  ...[
    'telegram',
    'telegr',
    'terraform',
    'travis',
    'trello',
    'twilio',
    'twitch',
    'twitter',
    'typeform',
    'virustotal',
    'vultr',
    'wakatime',
    'xray',
    'yandex',
  ],
  ...['youtube', 'zendesk', 'zoom'],
] as const

/** How a name is meant. */
export type Meaning = 'secret' | 'hint' | 'service' | undefined

const endsIn = (words: readonly string[]): RegExp => new RegExp(`(?:${words.join('|')})[a-z0-9]{0,20}$`)

/** A short name is part of many words: it has to be one. */
const isShort = (name: string): boolean => name.length < 6

const makePatterns = (): Readonly<Record<'secret' | 'service' | 'shortService' | 'hint', RegExp>> => ({
  secret: endsIn(secrets),
  service: endsIn(services.filter((name) => !isShort(name))),
  shortService: new RegExp(`(?:^|[_.\\- ])(?:${services.filter(isShort).join('|')})(?:[_.\\- ][a-z0-9]{1,12}){0,3}$`),
  hint: new RegExp(`(?:^|[_.\\- ])(?:${hints.join('|')})s?[0-9]{0,2}(?:[_.\\- ][a-z]{1,12}){0,2}$`),
})

let patterns: ReturnType<typeof makePatterns> | undefined

/** Words behind a secret name that say that the value is something about it. */
const about =
  /(?:name|type|length|size|count|kind|path|file|url|uri|field|policy|hint|rule|rules|id|ids|error|format|pattern|expires|expiry|ttl|status)$/

/** What a name says about its value. The name has at most 48 characters. */
export function meaningOf(name: string): Meaning {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .trim()
  const joined = spaced.replace(/[_.\- \t]/g, '')
  patterns ??= makePatterns()
  if (patterns.secret.test(joined) && (!about.test(joined) || /(?:sessionid|credentials?)$/.test(joined))) return 'secret'
  if (patterns.service.test(joined) || patterns.shortService.test(spaced)) return 'service'
  return patterns.hint.test(spaced) ? 'hint' : undefined
}
