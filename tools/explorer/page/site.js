// What the page is made from. `pdn export-site` writes another file of this name, and then the answers come from an index.
export default null;
