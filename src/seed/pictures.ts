/** Images of the demo shop as inline SVG, so that they need neither a download nor a licence. */
import { slugify } from '../lib/text/slug.ts';

interface Picture {
  /** Text alternative. */
  title: string;
  /** Background colour. */
  paper: string;
  drawing: string;
}

const ink = '#2b2320';

/** A bag of beans with a label in `colour`, and a motif on the label. */
const bag = (colour: string, motif: string) =>
  `<path d="M270 150h260l22 350a26 26 0 0 1-26 28H274a26 26 0 0 1-26-28z" fill="${ink}"/><path d="M270 150l14-50h232l14 50z" fill="#41362f"/><path d="M300 112h200" stroke="#d9c7a8" stroke-width="10" stroke-linecap="round"/><rect x="296" y="236" width="208" height="208" rx="14" fill="${colour}"/>${motif}`;

const flower = `<g fill="#fff6e6">${[0, 72, 144, 216, 288].map((turn) => `<ellipse cx="400" cy="304" rx="20" ry="40" transform="rotate(${turn} 400 340)"/>`).join('')}</g><circle cx="400" cy="340" r="14" fill="#e2a33b"/>`;
const peaks = `<path d="M320 404l56-96 30 46 24-34 50 84z" fill="#fff6e6"/><circle cx="456" cy="290" r="18" fill="#ffd98a"/>`;
const leaf = `<path d="M332 400c0-90 50-130 136-130 0 90-46 134-136 130z" fill="#fff6e6"/><path d="M336 396l96-92" stroke="#3d6b58" stroke-width="6"/>`;
const bean = (colour: string) =>
  `<g transform="rotate(28 400 340)"><ellipse cx="400" cy="340" rx="50" ry="74" fill="#fff6e6"/><path d="M400 268c-26 44 26 100 0 144" fill="none" stroke="${colour}" stroke-width="9"/></g>`;
const four = `<path d="M424 410V276l-76 92h108" fill="none" stroke="#fff6e6" stroke-width="22" stroke-linejoin="round"/>`;

const cup = (x: number, y: number, size: number, colour: string) =>
  `<g transform="translate(${x} ${y}) scale(${size})"><path d="M96-60h24a40 40 0 0 1 0 92H88" fill="none" stroke="${colour}" stroke-width="18"/><path d="M-104-90h208l-14 150a40 40 0 0 1-40 36H-50a40 40 0 0 1-40-36z" fill="${colour}"/><ellipse cx="0" cy="-90" rx="104" ry="26" fill="#fff6e6"/><ellipse cx="0" cy="-88" rx="88" ry="19" fill="#5a3a28"/></g>`;
const steam = (x: number, y: number) =>
  `<path d="M${x} ${y}c-26-34 26-58 0-94" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity=".75"/>`;

const dripper = `<path d="M280 190h240l-76 150h-88z" fill="#fbf4e8"/><path d="M520 214h30a34 34 0 0 1 0 68h-64" fill="none" stroke="#fbf4e8" stroke-width="18"/><ellipse cx="400" cy="190" rx="120" ry="24" fill="#7a5138"/><rect x="300" y="340" width="200" height="20" rx="10" fill="#fbf4e8"/><path d="M322 372h156l24 120a30 30 0 0 1-30 36H328a30 30 0 0 1-30-36z" fill="#fff" opacity=".55"/><path d="M308 446h184l10 48a30 30 0 0 1-30 34H328a30 30 0 0 1-30-34z" fill="#5a3a28"/><path d="M400 362v60" stroke="#5a3a28" stroke-width="6"/>`;
const kettle = `<path d="M316 250h190l34 230a30 30 0 0 1-30 34H312a30 30 0 0 1-30-34z" fill="#cfd4d6"/><path d="M292 430c-90-10-60-190-140-214" fill="none" stroke="#cfd4d6" stroke-width="20" stroke-linecap="round"/><path d="M510 280h60a30 30 0 0 1 30 34l-18 110" fill="none" stroke="${ink}" stroke-width="24" stroke-linecap="round"/><path d="M336 250a75 34 0 0 1 150 0z" fill="#a9b0b4"/><circle cx="411" cy="206" r="14" fill="${ink}"/>`;
const grinder = `<rect x="336" y="206" width="128" height="220" rx="18" fill="#3a3d40"/><rect x="346" y="426" width="108" height="100" rx="14" fill="#8a5b3c"/><path d="M400 206v-40h120" fill="none" stroke="#9aa0a4" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/><circle cx="524" cy="150" r="26" fill="#8a5b3c"/><path d="M336 300h128M336 330h128" stroke="#55595c" stroke-width="6"/>`;
const filters = [0, 1, 2]
  .map(
    (index) =>
      `<path transform="translate(${index * 44 - 44} ${index * 26 - 26})" d="M270 200h260l-76 240a30 30 0 0 1-30 22h-48a30 30 0 0 1-30-22z" fill="${['#e9dcc3', '#f3e9d6', '#fdf8ee'][index]}" stroke="#cdbb99" stroke-width="4"/>`,
  )
  .join('');
const tasting = [210, 400, 590]
  .map((x, index) => cup(x, 460, 0.72, ['#c46a4a', '#12504f', '#d9a441'][index] ?? ink) + steam(x, 362))
  .join('');
const card = `<rect x="190" y="190" width="420" height="256" rx="26" fill="#12504f"/><rect x="190" y="256" width="420" height="36" fill="#ffd08a"/><path d="M400 190v256" stroke="#ffd08a" stroke-width="36"/><path d="M400 274c-70-110-150-40-60 0h120c90-40 10-110-60 0z" fill="none" stroke="#ffd08a" stroke-width="18"/>`;
const tin = `<rect x="290" y="190" width="220" height="330" rx="24" fill="#b9862f"/><ellipse cx="400" cy="190" rx="110" ry="30" fill="#e2bd6c"/><rect x="290" y="280" width="220" height="150" fill="#2b2320"/><path d="M372 402v-92l-24 16m96 76a34 46 0 1 1 .1 0" fill="none" stroke="#ffd98a" stroke-width="14" stroke-linecap="round"/>`;
const hills = `<circle cx="600" cy="180" r="60" fill="#ffd98a"/><path d="M0 430l170-150 130 110 150-190 170 200 180-110v310H0z" fill="#3d6b58"/><path d="M0 500l220-90 210 90 190-70 180 60v110H0z" fill="#24493c"/>${[120, 250, 400, 540, 680].map((x) => `<circle cx="${x}" cy="530" r="22" fill="#b5462f"/>`).join('')}`;

const pictures: readonly Picture[] = [
  { title: 'Yirgacheffe Konga', paper: '#e8d9bd', drawing: bag('#3d6b58', flower) },
  { title: 'Huila El Mirador', paper: '#e6cfc4', drawing: bag('#b5462f', peaks) },
  { title: 'Sumatra Lintong', paper: '#cfdccb', drawing: bag('#3d6b58', leaf) },
  { title: 'House Espresso No. 4', paper: '#dcd3e2', drawing: bag('#12504f', four) },
  { title: 'Sugarcane Decaf', paper: '#f0e3b8', drawing: bag('#d9a441', bean('#d9a441')) },
  { title: 'Pour-over Dripper', paper: '#c9d8d8', drawing: dripper },
  { title: 'Gooseneck Kettle 0.9 l', paper: '#d8cfc4', drawing: kettle },
  { title: 'Hand Grinder S3', paper: '#d3dbe0', drawing: grinder },
  { title: 'Paper Filters 02', paper: '#b9c9b8', drawing: filters },
  {
    title: 'Stoneware Cup',
    paper: '#d9c2ae',
    drawing: cup(390, 370, 1.5, '#6f8791') + steam(370, 210) + steam(420, 210),
  },
  { title: 'Tasting Class', paper: '#cdbfae', drawing: tasting },
  { title: 'Gift Card', paper: '#e9d8d2', drawing: card },
  { title: 'Anniversary Lot 10', paper: '#dfe0d0', drawing: tin },
  { title: 'Konga', paper: '#bfd8e2', drawing: hills },
];

const draw = ({ title, paper, drawing }: Picture) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600" role="img"><title>${title}</title><rect width="800" height="600" fill="${paper}"/><ellipse cx="400" cy="532" rx="250" ry="26" fill="#000" opacity=".12"/>${drawing}</svg>`;

/** SVG documents, keyed by the path under which they are served. */
export const demoPictureSvgsByPath: ReadonlyMap<string, string> = new Map(
  pictures.map((picture) => [pathOf(slugify(picture.title)), draw(picture)]),
);

function pathOf(name: string): string {
  return `/demo/images/${name}.svg`;
}

/** Media item of an image, as products and entries reference it. */
export const createDemoPictureMedia = (publicUrl: string, id: string, name: string) => ({
  id,
  url: `${publicUrl}${pathOf(name)}`,
  mimeType: 'image/svg+xml',
});
