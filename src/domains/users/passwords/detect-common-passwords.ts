/** Detects common passwords: disguised dictionary words, keyboard walks, repetitions, and passwords that zxcvbn guesses early. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** zxcvbn counts at least ten guesses per character outside of a pattern, so ten such characters pass. */
const minGuesses = 1e9;

/** Characters that zxcvbn looks at. More would only raise the estimate, and its run time is quadratic: seconds for 200 characters. */
const maxLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** Created with the first password: sorting the dictionaries takes 50 ms, which would delay every start. */
const getEstimator = () =>
  (estimator ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    maxLength,
    // `isCommonPassword` decodes leet substitutions of whole words. Trying all combinations here would take a second.
    l33tMaxSubstitutions: 2,
  }));

/** `hints` are words that an attacker can derive; zxcvbn treats them as the top of its dictionary. */
const isEasilyGuessedPassword = (password: string, hints: readonly string[]): boolean =>
  getEstimator().check(password, [...hints]).guesses < minGuesses;

/** Words of common passwords, matched alone, in pairs, and surrounded by digits and punctuation. */
const commonWords = new Set(
  `password passwort passwords motdepasse contrasena senha parola wachtwoord lozinka haslo hasło salasana adgangskode losenord
  qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc asdfasdf
  iloveyou ilovegod iloveyousomuch loveyou lovely lover loveme forever
  welcome letmein whatever trustno trustnoone access login logmein signin default changeme changethis
  admin administrator adminadmin root superuser superman batman spiderman ironman starwars pokemon minecraft fortnite
  football baseball basketball hockey soccer chelsea liverpool arsenal barcelona realmadrid juventus yankees lakers steelers
  dragon monkey shadow master sunshine princess flower butterfly rainbow unicorn purple orange silver golden
  michael michelle jessica jennifer jordan charlie daniel thomas robert matthew andrew joshua ashley nicole amanda
  summer winter spring autumn january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  computer internet samsung google facebook microsoft windows apple android secret private security secure
  hello helloworld test testing tester testtest temp temporary guest user username demo example sample
  freedom friend friends family mother father brother sister angel angels babygirl baby cookie chocolate pepper ginger
  killer hunter ranger buster harley tigger jordan mustang ferrari corvette mercedes porsche yamaha kawasaki
  america germany england france canada australia london newyork chicago dallas phoenix austin
  abc abcd abcde abcdef abcdefg abc123 aaa qwe asd zxc pass passw passwd pwd key god jesus jesuschrist blessed
  money lucky magic matrix ninja player gamer killers legend hacker hackers startrek gandalf hogwarts harrypotter
  mypassword yourpassword nopassword thepassword newpassword oldpassword passphrase mysecret supersecret topsecret`
    .split(/\s+/)
    .filter(Boolean),
);

/** Common passwords that are not built from words: keyboard walks, number sequences, published examples. */
const commonPasswords = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsxedc qazwsxedcrfv zaq12wsx zaq12wsxcde3
  zaq1zaq1 1qazxsw2 1qazxsw23edc 123qweasdzxc qwe123qwe123 123qwe123qwe q1q1q1q1q1 1a2b3c4d5e a1b2c3d4e5 a1b2c3d4e5f6 1a2s3d4f5g
  123456789a 123456789q 1234567891 12345678910 123456789abc 0123456789 0987654321 1029384756 147258369 1472583690 159357456 789456123 7894561230
  741852963 9638527410 3141592653 31415926535 2718281828 1123581321 thisismypassword opensesame correcthorsebatterystaple
  passw0rd123 p@ssw0rd123 p@ssw0rd1234 pa55word123 password123 password1234 password12345 trustno1trustno1 iloveyou123 iloveyou1234
  letmein123 letmein1234 welcome123 welcome1234 administrator1 admin12345 admin123456 qwerty12345 qwerty123456 qwerty1234567 qwertyuiop1
  asdfghjkl1 zxcvbnm123 abcd123456 abc1234567 abcdefghij abcdefghijk abcdefghijkl abcd12345678 1111111111 0000000000 6969696969 1212121212 1313131313
  monkey12345 dragon12345 football12 baseball12 superman123 batman12345 michael123 jordan2323 charlie123 sunshine123 princess123 starwars123
  blink182182 metallica1 nirvana1991 slipknot666 ncc1701ncc1701 thx1138thx1138 rush2112rush`
    .split(/\s+/)
    .filter(Boolean),
);

const keyboardRows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '!@#$%^&*()_+',
].flatMap((row) => [row, [...row].reverse().join('')]);

/** Whether a guessing attack would try the password early. `hints` are words that the attacker can derive, such as the email address. */
export function isCommonPassword(password: string, hints: readonly string[] = []): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (commonPasswords.has(plain) || keyboardRows.some((row) => row.includes(plain))) return true;
  if (new Set(plain).size < 5 || isRepetition(plain)) return true;
  const core = stripDecoration(plain);
  const decodedCore = stripDecoration(decodeLeet(plain));
  // Digits and punctuation alone are mostly dates and phone numbers; 16 or more characters are accepted.
  if (core === '' && plain.length < 16) return true;
  // Capitals, digits and punctuation around a word add few guesses: attack tools generate these variants.
  if (isBuiltFromWords(core) || isBuiltFromWords(decodedCore)) return true;
  const usableHints = hints.filter(({ length }) => length > 3).map((hint) => hint.toLowerCase());
  if (usableHints.some((hint) => plain === hint || core === stripDecoration(hint))) return true;
  return (
    isEasilyGuessedPassword(plain, usableHints) ||
    (decodedCore !== plain && isEasilyGuessedPassword(decodeLeet(plain), usableHints))
  );
}

/** Whether the text repeats a unit of up to five characters: `abcabcabc` is `abc` three times. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= Math.min(5, text.length / 2); size += 1) {
    const unit = text.slice(0, size);
    if (unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return false;
}

/** Removes leading and trailing digits, punctuation and symbols, which users add to satisfy password rules. */
const stripDecoration = (text: string) =>
  text.replace(/^[\p{N}\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}]+|[\p{N}\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}]+$/gu, '');

const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};
/** Replaces digits and symbols by the letters they resemble. Only those before a letter: trailing digits are decoration. */
const decodeLeet = (text: string) =>
  text.replace(/[013457@$](?=.*\p{L})/gu, (mark) => leetLetters[mark] ?? mark);

function isBuiltFromWords(text: string): boolean {
  const bare = text.replace(/[\p{N}\p{P}\p{Z}\p{S}]+/gu, '');
  if (commonWords.has(bare)) return true;
  for (let at = 2; at <= bare.length - 2; at += 1) {
    if (commonWords.has(bare.slice(0, at)) && commonWords.has(bare.slice(at))) return true;
  }
  return false;
}
